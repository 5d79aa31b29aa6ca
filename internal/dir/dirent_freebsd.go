package dir

var systemDirent = freebsdDirent
