import { useMutation, useQuery } from '@tanstack/react-query'
import type { NewShare, Share, ShareList } from '#contract/analytics/shares.ts'
import { isRefusal, request, requestJson } from '../../api.ts'
import { copyText } from '../../files/clipboard.ts'
import { queryClient } from '../../query-client.ts'
import { useCall } from '../../ui/call.ts'
import { reportFailure } from '../../ui/messages/failure.ts'
import { toast } from '../../ui/messages/toast.tsx'

const PATH = '/api/analytics/shares'

/** Not by its path: it does not change with a scan. */
const keyOf = (code: string) => ['shares', code]

/** The links to a code's figures; read each time the dialog opens. */
export const useShares = (code: string) =>
  useQuery<ShareList>({
    queryKey: keyOf(code),
    queryFn: () => requestJson('GET', `${PATH}?qr=${code}`),
    staleTime: 0,
  })

const readAgain = (code: string) => queryClient.invalidateQueries({ queryKey: keyOf(code) })

/** A refusal is shown where the link is made. */
export const useMakeShare = (code: string) =>
  useMutation({
    mutationFn: (share: NewShare) => requestJson<Share>('POST', `${PATH}?qr=${code}`, share),
    onSettled: () => readAgain(code),
  })

/** Stops a link. It is not a failure if it is gone already. */
export async function endShare(code: string, { id }: Share): Promise<void> {
  try {
    await request('DELETE', `${PATH}/${id}`)
    toast.success('The link no longer works.', 'Sharing stopped')
  } catch (error) {
    if (!isRefusal(error, 'share_not_found')) {
      reportFailure(error, 'We couldn’t stop the link. It still works.')
    }
  }
  await readAgain(code)
}

/** Turns a link on that a restore has paused. */
export const useResumeShare = (code: string) =>
  useCall(({ id }: Share) => request('POST', `${PATH}/${id}/resume`), {
    done: 'Link turned on again',
    failed: 'We couldn’t turn on the link. Try again in a moment.',
    after: () => readAgain(code),
    afterFailure: () => readAgain(code),
  })

export const copyShare = (link: string) =>
  copyText(
    link,
    'Link copied. Anyone with it can see these analytics.',
    'We couldn’t copy the link. Select it and copy it by hand.',
    'Copied',
  )
