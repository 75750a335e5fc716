import { Button, Progress, Text } from '@mantine/core'
import type { ImportNow } from '#contract/imports.ts'
import { formatCount } from '../../ui/formats.ts'
import styles from './import.module.css'
import { closeImport } from './import-address.ts'

/** While the codes are made, which goes on without the page. */
export function ImportProgress({ now: { rows, done, name } }: { now: ImportNow }) {
  const text = `${formatCount(done)} of ${formatCount(rows)}`
  return (
    <div className={styles.made}>
      <Text fw={600} role="status">
        Making your QR codes...
      </Text>
      <div className={styles.way}>
        <Progress
          size="lg"
          value={rows === 0 ? 0 : (100 * done) / rows}
          animated={done >= rows}
          aria-label={`QR codes out of ${name}`}
        />
        <Text size="sm" mt={4}>
          {done >= rows ? 'Putting them into your list...' : text}
        </Text>
      </div>
      <Text size="sm" c="dimmed">
        They come into your list all at once. You can close this window or leave the page: it goes
        on.
      </Text>
      <Button variant="default" onClick={closeImport}>
        Close
      </Button>
    </div>
  )
}
