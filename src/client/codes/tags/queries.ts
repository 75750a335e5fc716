import { useQuery } from '@tanstack/react-query'
import { foldedTag, SERIES_MAX, type TagColour } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import type { NewTag, Tag, TagChange } from '#contract/codes/tags.ts'
import { request, requestJson } from '../../api.ts'
import { counted } from '../../formats.ts'
import { queryClient, refreshAfterCodeChange } from '../../query-client.ts'
import { useCall } from '../../ui/call.ts'

const TAGS = ['/api/tags']
const addressOf = (id: string) => `/api/tags/${id}`

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
export const useMakeTag = () =>
  useCall((tag: NewTag) => requestJson<Tag>('POST', '/api/tags', tag), {
    done: ({ name }) => `Tag “${name}” created`,
    after: () => queryClient.invalidateQueries({ queryKey: TAGS, exact: true }),
  })

/** Its caller shows the refusal. */
export const useChangeTag = () =>
  useCall(
    ({ id, ...change }: TagChange & { id: string }) =>
      requestJson<Tag>('PATCH', addressOf(id), change),
    { after: refreshAfterCodeChange },
  )

export const useRemoveTag = () =>
  useCall(({ id }: Tag) => request('DELETE', addressOf(id)), {
    done: (_, { name }) => `Tag “${name}” deleted`,
    failed: 'Failed to delete this tag',
    after: refreshAfterCodeChange,
    afterFailure: refreshAfterCodeChange,
  })

/** A change of a tag's codes: they get it, or lose it. A tag without an id is made first. */
export type Tagging = { name: string; id: string | undefined; isAdded: boolean }

type TagCodes = { taggings: readonly Tagging[]; codes: readonly QrCode[] }

/** Gives many codes tags and takes others from them. */
export const useTagCodes = () =>
  useCall(tagCodes, {
    done: (_, { codes }) => `Tags of ${counted(codes.length, 'QR code')} changed`,
    failed: 'Failed to change the tags of these QR codes',
    after: refreshAfterCodeChange,
    afterFailure: refreshAfterCodeChange,
  })

async function tagCodes({ taggings, codes }: TagCodes): Promise<void> {
  for (const { name, id, isAdded } of taggings) {
    const tag = id ?? (await requestJson<Tag>('POST', '/api/tags', { name })).id
    for (let start = 0; start < codes.length; start += SERIES_MAX) {
      const ids = codes.slice(start, start + SERIES_MAX).map((code) => code.id)
      await request('POST', `${addressOf(tag)}/codes`, isAdded ? { add: ids } : { remove: ids })
    }
  }
}
