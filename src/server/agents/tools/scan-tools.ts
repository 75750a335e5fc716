import { analyticsQuery, type ScansByCode, userAnalytics } from '#contract/analytics/analytics.ts'
import { type Facet, facets, utmParameters } from '#contract/analytics/figure-values.ts'
import {
  type Breakdown,
  breakdown,
  figures,
  figuresQuery,
  ranking,
} from '#contract/analytics/figures.ts'
import { codeListQuery } from '#contract/codes/codes.ts'
import { z } from '#contract/zod.ts'
import { briefest } from './code-tools.ts'
import { type Tool, tool } from './tool.ts'

/** Lists that one call counts, and rows of each: the rest is in `others`. */
const LISTS_MAX = 5
const ROWS_MAX = 20

const { q, status, tag, page } = codeListQuery.shape
const rankingInput = { range: true, from: true, to: true, tz: true, kind: true } as const
const rankingFilters = { qr: true, tag: true, country: true, utm_campaign: true } as const

/** Not checked here: the API has just checked up to 10,000 codes, and again would delay redirects. */
const allScans = z.custom<ScansByCode>()

function shortened(list: Breakdown): Breakdown {
  const rest = list.rows.slice(ROWS_MAX).reduce((sum, { scans }) => sum + scans, 0)
  return { ...list, rows: list.rows.slice(0, ROWS_MAX), others: list.others + rest }
}

export const scanTools: Tool[] = [
  tool(
    {
      name: 'read_analytics',
      title: 'Read scans',
      call: 'GET /api/analytics/figures',
      description: `Counts the scans of one QR code (qr is its id), of several (by qr, tag or externalId) or of all: in total, over time, and by country, device and so on. Bots don’t count unless kind is "bots". A visitor is counted once per code per day (UTC). Choose a range, or "free" with from and to. Fields such as country filter the scans, by the values in the lists; "-" means unknown.`,
      input: {
        ...figuresQuery.shape,
        lists: z
          .array(z.enum(facets))
          .max(LISTS_MAX)
          .default(['country', 'device'])
          .describe(`What to break the scans down by, up to ${LISTS_MAX}`),
      },
      output: figures.omit({ rules: true }).extend({
        lists: z.partialRecord(z.enum(facets), breakdown),
      }),
    },
    async ({ lists: wanted, ...query }, { ask, calls }) => {
      const { rules: _, ...counted } = await ask(query, figures)
      const lists: Partial<Record<Facet, Breakdown>> = {}
      for (const facet of new Set(wanted)) {
        const asked = {
          path: '/api/analytics/breakdown',
          query: { ...query, facet, by: undefined },
        }
        lists[facet] = shortened(await calls.json(breakdown, asked))
      }
      return { ...counted, lists }
    },
  ),
  tool(
    {
      name: 'rank_scans',
      title: 'Rank codes, tags and campaigns',
      call: 'GET /api/analytics/ranking',
      description: `Ranks the codes, tags and UTM parameters of a range by their scans, up to ${ROWS_MAX} of each (of each parameter). A scan counts for the UTM parameters that the destination had when it was made. Takes the range of read_analytics, and codes (by qr or tag), country and utm_campaign.`,
      input: figuresQuery.pick({ ...rankingInput, ...rankingFilters }).shape,
      output: ranking,
    },
    async (given, { ask }) => {
      const { codes, tags, utm, others, scans } = await ask(given, ranking)
      const rest = codes.slice(ROWS_MAX).reduce((sum, each) => sum + each.scans, 0)
      return {
        codes: codes.slice(0, ROWS_MAX),
        tags: tags.slice(0, ROWS_MAX),
        utm: utmParameters.flatMap((name) =>
          utm.filter(({ parameter }) => parameter === name).slice(0, ROWS_MAX),
        ),
        others: others + rest,
        scans,
      }
    },
  ),
  tool({
    name: 'read_totals',
    title: 'Read totals',
    call: 'GET /api/analytics/user',
    description:
      'Reads how many QR codes the account has and how often they were scanned: in total, this month, and last month.',
    input: analyticsQuery.shape,
    output: userAnalytics,
  }),
  tool(
    {
      name: 'rank_codes',
      title: 'Rank QR codes by scans',
      call: 'GET /api/qr-codes',
      description:
        'Lists QR codes by their total scans, most first, 25 per page. lastScannedAt is null if a code has never been scanned. silentSince is the last scan of a code that was scanned steadily and fell silent: maybe its print is covered or gone.',
      input: { q, status, tag, page: page.unwrap().default(1) },
      list: 'codes',
      output: briefest.extend({
        totalScans: z.int(),
        lastScannedAt: z.string().nullable(),
        silentSince: z.string().nullable(),
      }),
    },
    async (query, { ask, calls }) => {
      const codes = await ask({ ...query, sort: '-scans' }, z.array(briefest))
      const scans = await calls.json(allScans, { path: '/api/analytics/qr-codes' })
      const scansOf = new Map(scans.map((each) => [each.id, each]))
      return codes.map((code) => ({
        ...code,
        totalScans: scansOf.get(code.id)?.totalScans ?? 0,
        lastScannedAt: scansOf.get(code.id)?.lastScannedAt ?? null,
        silentSince: scansOf.get(code.id)?.silentSince ?? null,
      }))
    },
  ),
]
