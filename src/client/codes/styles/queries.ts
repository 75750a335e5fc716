import { useMutation, useQuery } from '@tanstack/react-query'
import type { QrCode } from '#contract/codes/codes.ts'
import { newLook } from '#contract/codes/codes.ts'
import type { KeptStyle, StyleAsked } from '#contract/pictures/styles.ts'
import { request, requestJson } from '../../api.ts'
import { counted } from '../../formats.ts'
import { queryClient, refreshAfterCodeChange } from '../../query-client.ts'
import { useCall } from '../../ui/call.ts'
import { fetchLateVerdict } from '../queries.ts'

const STYLES = ['/api/looks']
const addressOf = (id: string) => `/api/looks/${id}`
const refresh = () => queryClient.invalidateQueries({ queryKey: STYLES, exact: true })

/** The account's styles, the oldest first. */
export function useStyles() {
  return useQuery<KeptStyle[]>({ queryKey: STYLES })
}

/** Its caller shows the refusal. */
export const useSaveStyle = () =>
  useCall((style: StyleAsked) => requestJson<KeptStyle>('POST', '/api/looks', style), {
    done: ({ name }) => `Design “${name}” saved`,
    after: refresh,
  })

type Change = { id: string } & Partial<StyleAsked>

/** Its caller shows the refusal. */
export function useChangeStyle() {
  return useMutation({
    mutationFn: ({ id, ...change }: Change) =>
      requestJson<KeptStyle>('PATCH', addressOf(id), change),
    onSettled: refresh,
  })
}

export const useDeleteStyle = () =>
  useCall(({ id }: KeptStyle) => request('DELETE', addressOf(id)), {
    done: (_, { name }) => `Design “${name}” deleted`,
    failed: 'Failed to delete this design',
    after: refresh,
    afterFailure: refresh,
  })

type Application = { style: KeptStyle; codes: readonly QrCode[] }

/** Gives many codes a style, all of them or none. */
export const useApplyStyle = () =>
  useCall(
    ({ style, codes }: Application) =>
      requestJson<{ changed: number }>('POST', `${addressOf(style.id)}/apply`, {
        ids: codes.map(({ id }) => id),
      }),
    {
      done: ({ changed }, { style }) => appliedText(changed, style.name),
      failed: 'Failed to change these QR codes',
      after: (_, { codes: [first] }) => {
        if (first) fetchLateVerdict(first)
        return refreshAfterCodeChange()
      },
    },
  )

function appliedText(changed: number, name: string): string {
  if (changed === 0) return `They already have the design “${name}”`
  return `${counted(changed, 'QR code')} now ${changed === 1 ? 'has' : 'have'} the design “${name}”`
}

export type LookValues = KeptStyle['look']

/** The look in a form's values, as it would be kept; null while a colour or a text is half typed. */
export function lookIn(values: object): LookValues | null {
  return newLook.safeParse(values).data ?? null
}

/** Whether two looks are one, in whichever case their colours were typed. */
export function isSameLook(one: LookValues, other: LookValues): boolean {
  return spelled(one) === spelled(other)
}

/** The schema puts all fields in one order. */
const spelled = (look: LookValues) =>
  JSON.stringify(lookIn(look), (key, value: unknown) =>
    /color$/i.test(key) && typeof value === 'string' ? value.toLowerCase() : value,
  )
