/*
 * The landing page is built before anybody knows where it will stand. These addresses keep the places
 * of those that the environment has; no name under .invalid can ever exist (RFC 6761 §6.4).
 */

/** In place of the origin, as in PUBLIC_URL: only the head has it. */
export const ORIGIN_PLACE = 'https://origin.invalid'

/** In place of the operator's own links. */
export const linkPlaces = {
  contact: 'https://contact.invalid/',
  privacy: 'https://privacy.invalid/',
  terms: 'https://terms.invalid/',
} as const
export type LinkPlace = keyof typeof linkPlaces

/** Where a link stays that leads nowhere: the footer that it stands in. */
export const NOWHERE = '#footer'
