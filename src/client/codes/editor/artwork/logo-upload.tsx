import { Button, FileButton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { LOGO_MAX_BYTES, LOGO_NAME_MAX, type Logo } from '#contract/pictures/artwork.ts'
import { request, requestJson, serverMessageOf } from '../../../api.ts'
import { useDropPlace } from '../../../files/drop-place.ts'
import { queryClient } from '../../../query-client.ts'
import formStyles from '../../../ui/form.module.css'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { BAD_TEXT } from '../../../ui/theme.ts'
import styles from './artwork.module.css'

/** A logo comes by a button or by drop, and says here what is wrong with it. */
export function LogoUpload({ onSent }: { onSent: (logo: Logo) => void }) {
  const send = useSendLogo()
  const [fault, setFault] = useState<string | null>(null)
  const take = (file: File | null | undefined) => {
    if (!file || send.isPending) return
    const wrong = faultOf(file)
    setFault(wrong)
    if (wrong) return
    send.mutate(file, {
      onSuccess: onSent,
      onError: (error) =>
        setFault(serverMessageOf(error) ?? 'The logo could not be sent. Please try again.'),
    })
  }
  const place = useDropPlace(take)
  return (
    <div>
      <div className={`${formStyles.drop} ${styles.upload}`} {...place}>
        <FileButton accept={LOGO_TYPES.join()} onChange={take}>
          {({ onClick }) => (
            <Button
              variant="default"
              size="sm"
              leftSection={<Upload size={14} aria-hidden />}
              loading={send.isPending}
              onClick={onClick}
            >
              Upload a logo
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed">
          or drop it here. PNG, JPG, SVG or WebP, at most {LOGO_MAX_BYTES / 2 ** 20} MB.
        </Text>
      </div>
      <Text size="sm" c={BAD_TEXT} mt={fault ? 6 : 0} role="status">
        {fault}
      </Text>
    </div>
  )
}

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
