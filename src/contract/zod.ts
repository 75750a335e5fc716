import { z } from 'zod'

// Zod probes `new Function` to compile its parsers; a page with a strict
// Content-Security-Policy would report that probe, so browsers interpret.
if ('window' in globalThis) z.config({ jitless: true })

export { z }
