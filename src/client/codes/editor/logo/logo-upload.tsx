import { Button, FileButton, Text } from '@mantine/core'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { LOGO_MAX_BYTES, type Logo } from '#contract/pictures/artwork.ts'
import { serverMessageOf } from '../../../api.ts'
import { useDropPlace } from '../../../files/drop-place.ts'
import formStyles from '../../../ui/form.module.css'
import { BAD_TEXT } from '../../../ui/theme.ts'
import styles from '../artwork/artwork.module.css'
import { faultOf, LOGO_TYPES, useSendLogo } from './logo-queries.ts'

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
