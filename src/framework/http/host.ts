/** `uri-host [":" port]` of RFC 9110, 7.2, with the host that an http URI must have (4.2.1). */
export const HOST = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/;
