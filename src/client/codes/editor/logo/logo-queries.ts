import { useMutation, useQuery } from '@tanstack/react-query'
import { LOGO_MAX_BYTES, LOGO_NAME_MAX, type Logo } from '#contract/pictures/artwork.ts'
import { request, requestJson } from '../../../api.ts'
import { queryClient } from '../../../query-client.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'

const LOGOS = '/api/logos'

/** The account's logos, newest first. */
export function useLogos() {
  return useQuery<Logo[]>({ queryKey: [LOGOS] })
}

export const logoPicture = (id: string) => `${LOGOS}/${id}`

/** What the field for a logo takes, and what the server does. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']
const TOO_LARGE = `This file is larger than ${LOGO_MAX_BYTES / 2 ** 20} MB. Choose a smaller one.`
const NOT_A_PICTURE = 'This file is no picture. Use a PNG, JPG, SVG or WebP file.'

/** What is wrong with a file before it is sent; null where nothing is. */
export function faultOf({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!LOGO_TYPES.includes(type)) return NOT_A_PICTURE
  return size > LOGO_MAX_BYTES ? TOO_LARGE : null
}

/** Sends a logo; its field says what is wrong with it. */
export function useSendLogo() {
  return useMutation({
    mutationFn: (file: File) => {
      const name = file.name.slice(0, LOGO_NAME_MAX)
      return requestJson<Logo>('POST', `${LOGOS}?name=${encodeURIComponent(name)}`, file)
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [LOGOS] }),
  })
}

export function useRemoveLogo() {
  return useMutation({
    mutationFn: (id: string) => request('DELETE', logoPicture(id)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [LOGOS] }),
    onError: (error) => reportFailure(error, 'Failed to delete the logo'),
  })
}
