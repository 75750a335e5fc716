/*
 * The landing page is built before it is known at which address it will be served. These addresses
 * stand in it for those that the environment sets, and the server replaces them at its start. No name
 * under .invalid can ever exist (RFC 6761 §6.4).
 */

/** In place of the origin of PUBLIC_URL; only the page's head has it. */
export const ORIGIN_PLACEHOLDER = 'https://origin.invalid'

/** In place of the operator's own links. */
export const linkPlaceholders = {
  contact: 'https://contact.invalid/',
  privacy: 'https://privacy.invalid/',
  terms: 'https://terms.invalid/',
  blog: 'https://blog.invalid/',
  careers: 'https://careers.invalid/',
} as const

/** In place of the way into the live demo, which only some servers have. */
export const DEMO_PLACEHOLDER = '<i data-demo></i>'
