import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkPlaceholders, ORIGIN_PLACEHOLDER, UNSET_LINK } from '#contract/placeholders.ts'
import type { Config } from '../config.ts'
import { escapeHtml } from '../http/escape-html.ts'

export type PageName = 'landing' | 'app' | 'sign-in' | 'sandbox'

const pageNames: PageName[] = ['landing', 'app', 'sign-in', 'sandbox']

/** The built HTML pages, read once, and the hashes of their inline scripts for the CSP. */
export type Pages = { html: Record<PageName, string>; scriptHashes: string[]; assets: string }

/** The settings that the landing page shows. */
export type Site = Pick<Config, 'publicUrl' | 'supportEmail' | 'privacyUrl' | 'termsUrl'>

const INLINE_SCRIPT =
  /<script(?![^>]*\bsrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>([\s\S]*?)<\/script>/g

/** Reads the built pages and fills the landing page with the operator's settings. @throws where the client is not built */
export function readPages(clientDir: string, site: Site): Pages {
  const html = Object.fromEntries(
    pageNames.map((name) => [name, readFileSync(join(clientDir, `${name}.html`), 'utf8')]),
  ) as Record<PageName, string>
  html.landing = fillPlaces(html.landing, site)
  const scripts = Object.values(html).flatMap((text) => [...text.matchAll(INLINE_SCRIPT)])
  const scriptHashes = scripts.map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return { html, scriptHashes: [...new Set(scriptHashes)], assets: clientDir }
}

/** The built landing page with the operator's addresses; a link without one stays in the footer. */
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

/** RFC 6068 §2: all that has a meaning in an address is percent-encoded, but for the last @. */
function mailTo(address: string): string {
  const at = address.lastIndexOf('@')
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`
}
