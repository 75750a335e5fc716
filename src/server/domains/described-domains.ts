import type { Group } from '../openapi/operation.ts'

export const domains: Group = {
  name: 'Domains',
  description:
    'Your own domains. Everyone who can read sees them; owners and admins of a workspace change them. Add one, create the TXT record that proves it’s yours, and point it here with a CNAME or an A record. From the proof on, your codes’ short links work on it, as `/qr/{shortCode}` and as `/{shortCode}`. Set `domain` of a code to have its picture and its custom URL there.',
  operations: {
    'GET /api/domains': {
      name: 'listDomains',
      description: '`limit` is how many your plan has.',
    },
    'POST /api/domains': {
      name: 'addDomain',
      description: 'The response has the records to create, and what DNS says now.',
      errors: ['domains_not_in_plan', 'domains_full', 'domain_exists'],
    },
    'POST /api/domains/:id/check': {
      name: 'checkDomain',
      summary: 'Check a domain now',
      description: 'Asks DNS. We also check on our own, every few minutes at first.',
    },
    'PATCH /api/domains/:id': {
      name: 'changeDomain',
      description: '`homeUrl` is where its root and unknown names lead.',
      errors: ['domain_not_proven'],
    },
    'POST /api/domains/:id/restore': {
      name: 'restoreDomain',
      summary: 'Keep a removed domain',
    },
    'DELETE /api/domains/:id': {
      name: 'removeDomain',
      description: 'A proven domain leads on for 30 days. A claim without a proof goes at once.',
    },
  },
}
