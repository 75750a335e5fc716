import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillPlaces, type Site } from './landing-links.ts'

export type PageName = 'landing' | 'app' | 'sign-in' | 'sandbox'

const pageNames: PageName[] = ['landing', 'app', 'sign-in', 'sandbox']

/** The built HTML pages, read once, and the hashes of their inline scripts for the CSP. */
export type Pages = { html: Record<PageName, string>; scriptHashes: string[]; assets: string }

const INLINE_SCRIPT =
  /<script(?![^>]*\bsrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>([\s\S]*?)<\/script>/g

/**
 * The pages, the landing page with what the operator has put into the environment.
 *
 * @throws where the client is not built
 */
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
