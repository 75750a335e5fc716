import { FileButton, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { LOGO_MAX_BYTES, LOGO_NAME_MAX, type Logo } from '#contract/pictures/artwork.ts'
import { request, requestJson, serverMessageOf } from '../../../api.ts'
import { useDropPlace } from '../../../files/drop-place.ts'
import { queryClient } from '../../../query-client.ts'
import { useCall } from '../../../ui/call.ts'
import formStyles from '../../../ui/form.module.css'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import { BAD_TEXT } from '../../../ui/theme/theme.ts'

/** Takes a logo by a button or by drop, and shows its errors. */
export function LogoUpload({ onSent }: { onSent: (logo: Logo) => void }) {
  const send = useCall(sendLogo, { after: refresh })
  const [fault, setFault] = useState<string | null>(null)
  const take = (file: File | null | undefined) => {
    if (!file || send.isPending) return
    const wrong = faultOf(file)
    setFault(wrong)
    if (wrong) return
    send.mutate(file, {
      onSuccess: onSent,
      onError: (error) => setFault(serverMessageOf(error) ?? 'The logo didn’t upload. Try again.'),
    })
  }
  const place = useDropPlace(take)
  return (
    <div>
      <Group gap="8px 12px" className={formStyles.drop} {...place}>
        <FileButton accept={LOGO_TYPES.join()} onChange={take}>
          {({ onClick }) => (
            <PlainButton
              size="sm"
              leftSection={<Upload size={14} />}
              loading={send.isPending}
              onClick={onClick}
            >
              Upload a logo
            </PlainButton>
          )}
        </FileButton>
        <Quiet size="xs">
          or drop it here. PNG, JPG, SVG, or WebP, up to {LOGO_MAX_BYTES / 2 ** 20} MB.
        </Quiet>
      </Group>
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

/** The types that the server takes. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']
const TOO_LARGE = `This file is larger than ${LOGO_MAX_BYTES / 2 ** 20} MB. Choose a smaller one.`
const NOT_A_PICTURE = 'This file isn’t a picture. Use a PNG, JPG, SVG, or WebP file.'

/** Why a file need not be sent; null if it may be. */
export function faultOf({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!LOGO_TYPES.includes(type)) return NOT_A_PICTURE
  return size > LOGO_MAX_BYTES ? TOO_LARGE : null
}

const refresh = () => queryClient.invalidateQueries({ queryKey: [LOGOS] })

function sendLogo(file: File): Promise<Logo> {
  const name = encodeURIComponent(file.name.slice(0, LOGO_NAME_MAX))
  return requestJson('POST', `${LOGOS}?name=${name}`, file)
}

export const useRemoveLogo = () =>
  useCall((id: string) => request('DELETE', logoPicture(id)), {
    failed: 'Failed to delete the logo',
    after: refresh,
  })
