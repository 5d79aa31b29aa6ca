package dir

var systemDirent = netbsdDirent
