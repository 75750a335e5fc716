import { linkPlaces, NOWHERE, ORIGIN_PLACE } from '#contract/landing-places.ts'
import type { Config } from '../config.ts'
import { escapeHtml } from '../http/escape-html.ts'

/** What of the configuration the landing page shows. */
export type Site = Pick<Config, 'publicUrl' | 'supportEmail' | 'privacyUrl' | 'termsUrl'>

/** The built landing page with the operator's own addresses; where there is none, the link stays quiet. */
export function fillPlaces(html: string, site: Site): string {
  const addresses = {
    [linkPlaces.contact]: site.supportEmail && mailTo(site.supportEmail),
    [linkPlaces.privacy]: site.privacyUrl,
    [linkPlaces.terms]: site.termsUrl,
  }
  const linked = Object.entries(addresses).reduce(
    (filled, [place, address]) => filled.replaceAll(place, () => escapeHtml(address ?? NOWHERE)),
    html,
  )
  return linked.replaceAll(ORIGIN_PLACE, () => escapeHtml(site.publicUrl))
}

/** RFC 6068 §2: what has a meaning of its own in the address is percent-encoded, the last @ is not. */
function mailTo(address: string): string {
  const at = address.lastIndexOf('@')
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`
}
