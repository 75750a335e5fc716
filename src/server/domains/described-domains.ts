import type { Group } from '../openapi/operation.ts'
import { DOMAIN, TODAY } from '../openapi/story.ts'

const HOST = 'qr.example.com'
const records = [
  {
    type: 'TXT',
    name: `_tessera.${HOST}`,
    value: 'tessera-proof=5f0c9a1e7b3d4826a0f1c2d3e4b5a697',
    found: [],
    isThere: false,
  },
  { type: 'CNAME', name: HOST, value: 'tessera.example', found: [], isThere: false },
]
const domain = {
  id: DOMAIN,
  host: HOST,
  state: 'pending',
  isProven: false,
  isDefault: false,
  homeUrl: null,
  codes: 0,
  records,
  checkedAt: `${TODAY}T09:00:00.000Z`,
  endsAt: null,
}
const ONE = { path: { id: DOMAIN } }

export const domains: Group = {
  name: 'Domains',
  description:
    'Your own domains. Add one, create the TXT record that proves it’s yours, and point it here with a CNAME or an A record. From the proof on, your codes’ short links work on it, as `/qr/{shortCode}` and as `/{shortCode}`. Set `domain` of a code to have its picture and its custom URL there.',
  operations: {
    'GET /api/domains': {
      name: 'listDomains',
      summary: 'List domains',
      description: '`limit` is how many your plan has.',
      example: { answer: { status: 200, body: { limit: 10, domains: [] } } },
    },
    'POST /api/domains': {
      name: 'addDomain',
      summary: 'Add a domain',
      description: 'The response has the records to create, and what DNS says now.',
      errors: ['domains_not_in_plan', 'domains_full', 'domain_exists'],
      example: { body: { host: HOST }, answer: { status: 201, body: domain } },
    },
    'POST /api/domains/:id/check': {
      name: 'checkDomain',
      summary: 'Check a domain now',
      description: 'Asks DNS. We also check on our own, every few minutes at first.',
      errors: ['domain_not_found'],
      example: { ...ONE, answer: { status: 200, body: domain } },
    },
    'PATCH /api/domains/:id': {
      name: 'changeDomain',
      summary: 'Change a domain',
      description: '`homeUrl` is where its root and unknown names lead.',
      errors: ['domain_not_found', 'domain_not_proven'],
      example: {
        ...ONE,
        body: { homeUrl: 'https://example.com/' },
        answer: { status: 200, body: { ...domain, homeUrl: 'https://example.com/' } },
      },
    },
    'POST /api/domains/:id/restore': {
      name: 'restoreDomain',
      summary: 'Keep a removed domain',
      errors: ['domain_not_found'],
      example: {
        ...ONE,
        answer: { status: 200, body: { ...domain, homeUrl: 'https://example.com/' } },
      },
    },
    'DELETE /api/domains/:id': {
      name: 'removeDomain',
      summary: 'Remove a domain',
      description: 'A proven domain leads on for 30 days. A claim without a proof goes at once.',
      errors: ['domain_not_found'],
      example: { ...ONE, answer: { status: 204 } },
    },
  },
}
