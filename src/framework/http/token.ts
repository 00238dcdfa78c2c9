/** A token (RFC 9110, 5.6.2): a method, the name of a field or of a cookie, a part of a media type. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
