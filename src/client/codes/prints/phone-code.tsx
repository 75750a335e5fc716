import { Text } from '@mantine/core'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { useDrawn } from '../../drawn-symbol.ts'
import styles from './prints.module.css'

/** Takes somebody at a desktop to this dialog on their phone, which has a camera. */
export function PhoneCode({ address }: { address: string }) {
  const picture = useDrawn(address, DEFAULT_LOOK)
  if (!picture) return null
  return (
    <div className={styles.phone}>
      <img src={picture} width={148} height={148} alt="QR code of this page, for a phone" />
      <Text size="sm">
        <b>Take the photo with your phone</b>
        <br />
        Scan this code with it: this page opens there. You may need to sign in.
      </Text>
    </div>
  )
}
