package dir

var systemDirent = openbsdDirent
