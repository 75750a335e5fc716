import { Button, Text, Title } from '@mantine/core'
import { formatMoment } from '../../dates.ts'
import styles from './import.module.css'
import { showImport } from './import-address.ts'
import { stateText } from './import-words.ts'
import { useEarlierImports } from './queries.ts'

/** Files that were read before: those with which nothing was done yet, and the codes that came out of others. */
export function EarlierImports() {
  const { data = [] } = useEarlierImports()
  if (data.length === 0) return null
  return (
    <section aria-labelledby="earlier-imports">
      <Title order={3} size="h5" id="earlier-imports">
        Earlier files
      </Title>
      <ul className={styles.earlier}>
        {data.map((one) => (
          <li key={one.id}>
            <div>
              <Text size="sm" fw={600} className={styles.name} dir="auto">
                {one.name}
              </Text>
              <Text size="sm" c="dimmed">
                {stateText(one)}, {formatMoment(one.publishedAt ?? one.madeAt)}
              </Text>
            </div>
            <Button
              variant="default"
              size="sm"
              aria-label={`Open ${one.name}`}
              onClick={() => showImport(one.id)}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
