import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  DEMO_PLACEHOLDER,
  linkPlaceholders,
  ORIGIN_PLACEHOLDER,
} from '#contract/codes/placeholders.ts'
import type { Config } from '../config.ts'
import { escapeHtml } from '../http/plain-page.ts'

export type PageName = 'landing' | 'app' | 'sign-in' | 'sandbox' | 'share' | 'docs'

const pageNames: PageName[] = ['landing', 'app', 'sign-in', 'sandbox', 'share', 'docs']

/** The built HTML pages, read once, and the hashes of their inline scripts for the CSP. */
export type Pages = {
  html: Record<PageName, string>
  scriptHashes: string[]
  assets: string
  /** The file of the API's document, which is read when it is first asked for */
  apiDocument: string
}

/** The settings that the landing page shows. */
export type Site = Pick<
  Config,
  'publicUrl' | 'supportEmail' | 'privacyUrl' | 'termsUrl' | 'blogUrl' | 'careersUrl' | 'demo'
>

/** The way into the live demo: a form, because it signs the browser in. */
const DEMO_FORM =
  '<form method="post" action="/api/demo" class="demo-form line soft"><button class="button-link strong">Open the live demo</button><span>Explore everything. Nothing is saved.</span></form>'

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
  return {
    html,
    scriptHashes: [...new Set(scriptHashes)],
    assets: clientDir,
    apiDocument: join(clientDir, '../openapi.json'),
  }
}

/**
 * The built landing page with the operator's addresses, or those of our pages. What has neither keeps its
 * words, without a link.
 */
export function fillPlaces(html: string, site: Site): string {
  const addresses = {
    [linkPlaceholders.contact]: site.supportEmail && mailTo(site.supportEmail),
    [linkPlaceholders.privacy]: site.privacyUrl ?? '/api/privacy',
    [linkPlaceholders.terms]: site.termsUrl ?? '/api/terms',
    [linkPlaceholders.blog]: site.blogUrl,
    [linkPlaceholders.careers]: site.careersUrl,
  }
  const linked = Object.entries(addresses).reduce(
    (filled, [place, address]) =>
      address === undefined
        ? filled.replace(new RegExp(`<a href="${place}">([^<]*)</a>`), '<span>$1</span>')
        : filled.replaceAll(place, () => escapeHtml(address)),
    html,
  )
  const withDemo = linked.replace(DEMO_PLACEHOLDER, () => (site.demo === 'on' ? DEMO_FORM : ''))
  return withDemo.replaceAll(ORIGIN_PLACEHOLDER, () => escapeHtml(site.publicUrl))
}

/** RFC 6068 §2: all that has a meaning in an address is percent-encoded, but for the last @. */
function mailTo(address: string): string {
  const at = address.lastIndexOf('@')
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`
}
