import { linkPlaceholders, ORIGIN_PLACEHOLDER, UNSET_LINK } from '#contract/placeholders.ts'
import type { Config } from '../config.ts'
import { escapeHtml } from '../http/escape-html.ts'

/** What of the configuration the landing page shows. */
export type Site = Pick<Config, 'publicUrl' | 'supportEmail' | 'privacyUrl' | 'termsUrl'>

/** The built landing page with the operator's own addresses; where there is none, the link stays quiet. */
export function fillPlaces(html: string, site: Site): string {
  const addresses = {
    [linkPlaceholders.contact]: site.supportEmail && mailTo(site.supportEmail),
    [linkPlaceholders.privacy]: site.privacyUrl,
    [linkPlaceholders.terms]: site.termsUrl,
  }
  const linked = Object.entries(addresses).reduce(
    (filled, [place, address]) => filled.replaceAll(place, () => escapeHtml(address ?? UNSET_LINK)),
    html,
  )
  return linked.replaceAll(ORIGIN_PLACEHOLDER, () => escapeHtml(site.publicUrl))
}

/** RFC 6068 §2: what has a meaning of its own in the address is percent-encoded, the last @ is not. */
function mailTo(address: string): string {
  const at = address.lastIndexOf('@')
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`
}
