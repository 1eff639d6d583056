const LONGEST_LOCAL_PART = 64;
const LONGEST_ADDRESS = 254;

/** RFC 5321, section 4.1.2: Dot-string of atoms, or Quoted-string. */
const LOCAL_PART = /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])+")$/;
/** Labels of letters, digits and inner hyphens, two at least; the last one is not a number, so that no IPv4 address passes. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])$/i;

/**
 * Whether a text is an email address by RFC 5321: every local part that it allows, up to 64 characters, at a domain name of
 * at least two labels; 254 characters in all. Names in other scripts have their ASCII form (`xn--…`).
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return (
    text.length <= LONGEST_ADDRESS &&
    at > 0 &&
    at <= LONGEST_LOCAL_PART &&
    LOCAL_PART.test(text.slice(0, at)) &&
    DOMAIN.test(text.slice(at + 1))
  );
}
