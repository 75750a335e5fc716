/** Characters of the alphanumeric mode (ISO/IEC 18004:2024 §7.3.4). */
const ALPHANUMERIC = /^[0-9A-Z $%*+\-./:]*$/

/**
 * A link in upper case, which takes 5.5 bits a character instead of 8 and so makes a smaller symbol;
 * as it is where a character (an underscore) has no place in the alphanumeric mode and capitals
 * would gain nothing. Scheme and host are the same in either case (RFC 3986 §6.2.2.1); the path must
 * be one that is looked up so.
 */
export function compactLink(link: string): string {
  const capitals = link.toUpperCase()
  return ALPHANUMERIC.test(capitals) ? capitals : link
}
