import { domain, domainChange, domainList, newDomain } from '#contract/integrations/domains.ts'
import { z } from '#contract/zod.ts'
import { type Tool, tool } from './tool.ts'

const id = z.string().describe('The id of the domain, as list_domains has it')

export const domainTools: Tool[] = [
  tool({
    name: 'list_domains',
    title: 'List domains',
    call: 'GET /api/domains',
    description:
      'Lists the account’s own domains with their state, and the DNS records that each needs beside what DNS answers now. limit is how many the plan has.',
    output: domainList,
  }),
  tool({
    name: 'add_domain',
    title: 'Add a domain',
    call: 'POST /api/domains',
    isOpenWorld: true,
    description:
      'Adds one of the person’s own domains, such as qr.example.com. The records in the answer have to be created at their DNS provider: the TXT record proves the domain, and a CNAME or A record points it here. Then call check_domain.',
    input: newDomain.shape,
    output: domain,
  }),
  tool({
    name: 'check_domain',
    title: 'Check a domain',
    call: 'POST /api/domains/:id/check',
    isIdempotent: true,
    isOpenWorld: true,
    description:
      'Asks DNS about a domain now. It’s also checked every few minutes. Once isProven is true, all short links of the account work on it.',
    input: { id },
    output: domain,
  }),
  tool({
    name: 'change_domain',
    title: 'Change a domain',
    call: 'PATCH /api/domains/:id',
    description:
      'Changes a domain: isDefault: true puts the links of new codes on it, and homeUrl is where its root and unknown names lead. To move a code to it, use change_code with domain.',
    input: { id, ...domainChange.shape },
    output: domain,
  }),
  tool({
    name: 'remove_domain',
    title: 'Remove a domain',
    call: 'DELETE /api/domains/:id',
    description:
      'Removes a domain. If it’s proven, links printed with it stop working after 30 days; until then, restore_domain brings it back. One that’s still pending is gone at once. Ask the person first, and say how many codes have their links on it (codes).',
    input: { id },
    done: 'Removed. If it was proven, its links lead on for 30 days.',
  }),
  tool({
    name: 'restore_domain',
    title: 'Keep a removed domain',
    call: 'POST /api/domains/:id/restore',
    isIdempotent: true,
    description: 'Undoes the removal of a domain within its 30 days.',
    input: { id },
    output: domain,
  }),
]
