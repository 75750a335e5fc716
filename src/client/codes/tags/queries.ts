import { useMutation, useQuery } from '@tanstack/react-query'
import { foldedTag, type TagColour } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { SERIES_MAX } from '#contract/series-rows.ts'
import type { NewTag, Tag, TagChange } from '#contract/tags.ts'
import { request, requestJson } from '../../api.ts'
import { queryClient, refreshAfterCodeChange } from '../../query-client.ts'
import { counted } from '../../ui/formats.ts'
import { reportFailure } from '../../ui/messages/failure.ts'
import { toast } from '../../ui/messages/toast.tsx'

const TAGS = ['/api/tags']
const addressOf = (id: string) => `/api/tags/${id}`
const refresh = () => queryClient.invalidateQueries({ queryKey: TAGS, exact: true })

/** The account's tags, by name. */
export function useTags() {
  return useQuery<Tag[]>({ queryKey: TAGS })
}

/** The colours of the account's tags; grey until they are read. */
export function useTagColours() {
  const { data } = useTags()
  return (name: string): TagColour =>
    data?.find((tag) => foldedTag(tag.name) === foldedTag(name))?.colour ?? 'grey'
}

/** Its caller shows the refusal. */
export function useMakeTag() {
  return useMutation({
    mutationFn: (tag: NewTag) => requestJson<Tag>('POST', '/api/tags', tag),
    onSuccess: ({ name }) => {
      toast.success(`Tag “${name}” made`)
      return refresh()
    },
  })
}

/** Its caller shows the refusal. */
export function useChangeTag() {
  return useMutation({
    mutationFn: ({ id, ...change }: TagChange & { id: string }) =>
      requestJson<Tag>('PATCH', addressOf(id), change),
    onSuccess: refreshAfterCodeChange,
  })
}

export function useRemoveTag() {
  return useMutation({
    mutationFn: ({ id }: Tag) => request('DELETE', addressOf(id)),
    onSuccess: (_, { name }) => toast.success(`Tag “${name}” deleted`),
    onError: (error) => reportFailure(error, 'Failed to delete this tag'),
    onSettled: refreshAfterCodeChange,
  })
}

/** What is to happen to a tag: these codes get it, or lose it. One that has no id yet is made. */
export type Tagging = { name: string; id: string | undefined; isAdded: boolean }

/** Gives many codes tags and takes others from them. */
export function useTagCodes() {
  return useMutation({
    mutationFn: async ({
      taggings,
      codes,
    }: {
      taggings: readonly Tagging[]
      codes: readonly QrCode[]
    }) => {
      for (const { name, id, isAdded } of taggings) {
        const tag = id ?? (await requestJson<Tag>('POST', '/api/tags', { name })).id
        for (let start = 0; start < codes.length; start += SERIES_MAX) {
          const ids = codes.slice(start, start + SERIES_MAX).map((code) => code.id)
          await request('POST', `${addressOf(tag)}/codes`, isAdded ? { add: ids } : { remove: ids })
        }
      }
    },
    onSuccess: (_, { codes }) =>
      toast.success(`Tags of ${counted(codes.length, 'QR code')} changed`),
    onError: (error) => reportFailure(error, 'Failed to change the tags of these QR codes'),
    onSettled: refreshAfterCodeChange,
  })
}
