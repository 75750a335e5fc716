import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type PageName = 'landing' | 'app' | 'sign-in' | 'sandbox'

const pageNames: PageName[] = ['landing', 'app', 'sign-in', 'sandbox']

/** The built HTML pages, read once, and the hashes of their inline scripts for the CSP. */
export type Pages = { html: Record<PageName, string>; scriptHashes: string[]; assets: string }

const INLINE_SCRIPT =
  /<script(?![^>]*\bsrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>([\s\S]*?)<\/script>/g

/** @throws where the client is not built */
export function readPages(clientDir: string): Pages {
  const html = Object.fromEntries(
    pageNames.map((name) => [name, readFileSync(join(clientDir, `${name}.html`), 'utf8')]),
  ) as Record<PageName, string>
  const scripts = Object.values(html).flatMap((text) => [...text.matchAll(INLINE_SCRIPT)])
  const scriptHashes = scripts.map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return { html, scriptHashes: [...new Set(scriptHashes)], assets: clientDir }
}
