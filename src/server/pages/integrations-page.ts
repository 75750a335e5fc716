import type { Config } from '../config.ts'
import { escapeHtml } from '../http/plain-page.ts'
import { type Content, link, recipe, section } from './site-parts.ts'

/** How other programs work with Tessera. */
export function integrationsPage(site: Config): Content {
  const { publicUrl } = site
  const keys = link('/profile?settings=keys', 'Account settings → Integrations')
  const webhooks = link('/profile?settings=webhooks', 'Account settings → Webhooks')
  return {
    lead: `<p>Connect Tessera to the tools you use. They call Tessera through its ${link('/api/docs', 'API')}, and Tessera calls them through webhooks. Agents, API keys, and webhooks are part of the Unlimited plan.</p>`,
    sections: [
      section(
        'Zapier, Make, and n8n: react to scans and changes',
        'In Zapier, start with “Webhooks by Zapier” and “Catch Hook”. In Make, use “Custom webhook”. In n8n, use the “Webhook” node with the method POST. Each one gives you an address.',
        `Add that address in ${webhooks}, choose the events, and press “Send test”. From then on, each event arrives as JSON: <code>type</code>, <code>timestamp</code> and <code>data</code>. A program can also add and remove webhooks itself, with an API key that can write.`,
        `Anyone who knows that address could send something to it. If that matters, verify the signature: the ${link('/api/docs', 'API reference')} shows how.`,
      ),
      recipe(
        'n8n, Make, and others: create a code',
        `Use their node for HTTP requests. Create a key in ${keys} and send it as a header. In n8n, add it as a “Header Auth” credential.`,
        [
          `POST ${publicUrl}/api/qr-codes`,
          'Authorization: Bearer tsk_…',
          'Content-Type: application/json',
          '',
          '{"name": "Menu", "url": "https://example.com/menu"}',
        ].join('\n'),
      ),
      recipe(
        'Google Sheets: load your scans',
        'Open “Extensions → Apps Script”, paste this with a read-only key, and run it. Add a time-driven trigger to keep the sheet up to date. Excel and Numbers open the same file: download it from the analytics.',
        [
          'function loadScans() {',
          `  const answer = UrlFetchApp.fetch('${publicUrl}/api/analytics/scans.csv?range=30d', {`,
          "    headers: { Authorization: 'Bearer tsk_…' },",
          '  })',
          '  const rows = Utilities.parseCsv(answer.getContentText())',
          '  const sheet = SpreadsheetApp.getActiveSheet()',
          '  sheet.clearContents().getRange(1, 1, rows.length, rows[0].length).setValues(rows)',
          '}',
        ].join('\n'),
      ),
      section(
        'AI agents: just ask',
        `Agents that speak MCP (Model Context Protocol) can work with your codes at <code>${escapeHtml(publicUrl)}/api/mcp</code>, without a key: you allow them in your browser, for reading only or for changes too. They list, create, change, and draw codes, check whether they scan, keep your tags and designs, and read and share your analytics. Agents that can’t log in use an API key from ${keys}.`,
      ),
      section(
        'Other services and spreadsheets: bring your codes',
        '“Import”, above your list, reads CSV files and the exports of other QR code and short link services. Paths are kept if they’re free. “Export” saves your list with its scans.',
      ),
      { title: 'More ways to connect', html: list(others(site)) },
    ],
  }
}

const list = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`

const others = ({ provider, billing }: Config) => [
  'Print and design: SVG, PDF, and EPS with plain paths, PNG and JPG, sized in millimeters.',
  'Your own web server: your account’s export has all links as redirects for nginx, Caddy, and Netlify.',
  ...(provider ? [`Log in with ${escapeHtml(provider.name)} (OpenID Connect).`] : []),
  ...(billing === 'stripe' ? ['Payments through Stripe.'] : []),
]
