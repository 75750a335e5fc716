import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../http/escape-html.ts'

/** Not worth a robot's way: nobody's screens but their owner's. Short links stay open to link previews. */
const CLOSED = ['/api/', '/dashboard', '/profile', '/subscription']

/** What search engines ask for, under the public address: one page is there for them to find. */
export async function searchRoutes(app: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const robots = [
    'User-agent: *',
    ...CLOSED.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    `<url><loc>${escapeHtml(publicUrl)}/</loc></url>`,
    '</urlset>',
    '',
  ].join('\n')

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=3600')
  })
  app.get('/robots.txt', async (_request, reply) => reply.type('text/plain').send(robots))
  app.get('/sitemap.xml', async (_request, reply) => reply.type('application/xml').send(sitemap))
}
