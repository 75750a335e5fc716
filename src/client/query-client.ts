import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { requestJson } from './api.ts'

/** The parts of a query's key, joined, are the path it reads. */
export function pathOf(key: QueryKey): string {
  return key.join('/')
}

/**
 * Without a network a call fails at once (`networkMode`). One that waited for the network would be sent
 * when its person has long cancelled it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryFn: ({ queryKey }) => requestJson('GET', pathOf(queryKey)),
      retry: false,
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Codes that are being deleted. Until the list is without them their figures are not read again. */
export const leavingCodes = new Set<string>()

/** The ends of the paths of the answers that change when a code is saved or deleted, the list first. */
const CHANGED_BY_A_CODE = [
  '/api/qr-codes',
  '/api/qr-codes/bin',
  '/history',
  '/api/tags',
  '/api/analytics/user',
  '/api/analytics/qr-codes',
  '/api/analytics/daily-breakdown',
  '/api/user/subscription',
  '/api/user/plan-use',
]

/** The answers that change with the plan. */
const CHANGED_BY_A_PLAN = [
  '/api/auth/user',
  '/api/user/subscription',
  '/api/user/plan-use',
  '/api/user/invoices',
  '/api/qr-codes',
]

function readAgain(path: string, refetchType: 'active' | 'all'): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => pathOf(queryKey).replace(/\?.*/, '').endsWith(path),
    refetchType,
  })
}

/**
 * Reads the answers that show or count codes again. Resolves when the list is there, so that no row
 * opens with old values.
 */
export async function refreshAfterCodeChange(): Promise<void> {
  const gone = [...leavingCodes]
  const [list] = CHANGED_BY_A_CODE.map((path) => readAgain(path, 'active'))
  await list
  for (const id of gone) leavingCodes.delete(id)
}

/** Reads the answers of a plan again, on other screens too, so that no screen shows the former plan. */
export async function refreshAfterPlanChange(): Promise<void> {
  await Promise.all(CHANGED_BY_A_PLAN.map((path) => readAgain(path, 'all')))
}
