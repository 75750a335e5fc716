import { domain, domainChange, domainList, newDomain } from '#contract/integrations/domains.ts'
import { z } from '#contract/zod.ts'
import { pathsIn } from './paths.ts'
import { dataTool, deletingTool, type Tool } from './tool.ts'

const id = z.string().describe('The id of the domain, as list_domains has it')

const pathOf = pathsIn('/api/domains', 'domain_not_found')

type Call = { name: string; title: string; description: string; isOpenWorld?: boolean }

/** A tool that changes one domain by a call without a body, and returns it. */
const callOf = (about: Call, part: string) =>
  dataTool(
    {
      ...about,
      effect: 'adds',
      isIdempotent: true,
      input: z.strictObject({ id }),
      output: domain,
    },
    async (asked, { calls }) =>
      calls.json(domain, { method: 'POST', path: pathOf(asked.id, part) }),
  )

export const domainTools: Tool[] = [
  dataTool(
    {
      name: 'list_domains',
      title: 'List domains',
      effect: 'reads',
      description:
        'Lists the account’s own domains with their state, and the DNS records that each needs beside what DNS answers now. limit is how many the plan has.',
      input: z.strictObject({}),
      output: domainList,
    },
    async (_input, { calls }) => calls.json(domainList, { path: '/api/domains' }),
  ),
  dataTool(
    {
      name: 'add_domain',
      title: 'Add a domain',
      effect: 'adds',
      isOpenWorld: true,
      description:
        'Adds one of the person’s own domains, such as qr.example.com. The records in the answer have to be created at their DNS provider: the TXT record proves the domain, and a CNAME or A record points it here. Then call check_domain.',
      input: newDomain,
      output: domain,
    },
    async (body, { calls }) => calls.json(domain, { method: 'POST', path: '/api/domains', body }),
  ),
  callOf(
    {
      name: 'check_domain',
      title: 'Check a domain',
      isOpenWorld: true,
      description:
        'Asks DNS about a domain now. It’s also checked every few minutes. Once isProven is true, all short links of the account work on it.',
    },
    '/check',
  ),
  dataTool(
    {
      name: 'change_domain',
      title: 'Change a domain',
      effect: 'replaces',
      words: 'DomainChange',
      description:
        'Changes a domain: isDefault: true puts the links of new codes on it, and homeUrl is where its root and unknown names lead. To move a code to it, use change_code with domain.',
      input: z.strictObject({ id, ...domainChange.shape }),
      output: domain,
    },
    async ({ id: asked, ...body }, { calls }) =>
      calls.json(domain, { method: 'PATCH', path: pathOf(asked), body }),
  ),
  deletingTool({
    name: 'remove_domain',
    title: 'Remove a domain',
    description:
      'Removes a domain. If it’s proven, links printed with it stop working after 30 days; until then, restore_domain brings it back. One that’s still pending is gone at once. Ask the person first, and say how many codes have their links on it (codes).',
    id,
    pathOf,
    done: 'Removed. If it was proven, its links lead on for 30 days.',
  }),
  callOf(
    {
      name: 'restore_domain',
      title: 'Keep a removed domain',
      description: 'Undoes the removal of a domain within its 30 days.',
    },
    '/restore',
  ),
]
