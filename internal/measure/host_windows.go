package measure

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func machine() (kernel, cpu string, gib float64, id string) {
	v := windows.RtlGetVersion()
	kernel = fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
	cpu = registryText(`HARDWARE\DESCRIPTION\System\CentralProcessor\0`, "ProcessorNameString")
	if cpu == "" {
		cpu = os.Getenv("PROCESSOR_IDENTIFIER")
	}
	return kernel, cpu, 0, registryText(`SOFTWARE\Microsoft\Cryptography`, "MachineGuid")
}

func registryText(path, name string) string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, path, registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer key.Close()
	text, _, _ := key.GetStringValue(name)
	return text
}

// disk asks for the volume's file system. Whether it is rotational only an
// administrator may ask.
func disk(path string) (fileSystem, kind string) {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(path) + `\`)
	if err != nil {
		return "", ""
	}
	if windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		kind = "network"
	}
	var name [windows.MAX_PATH + 1]uint16
	if windows.GetVolumeInformation(root, nil, 0, nil, nil, nil, &name[0], uint32(len(name))) == nil {
		fileSystem = windows.UTF16ToString(name[:])
	}
	return fileSystem, kind
}
