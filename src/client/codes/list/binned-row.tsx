import { Button, Text } from '@mantine/core'
import { ArchiveRestore } from 'lucide-react'
import type { BinnedCode } from '#contract/codes.ts'
import { formatDay } from '../../ui/formats.ts'
import { hostOf, linkOf, pathOf } from '../links.ts'
import { useRestore } from '../queries.ts'
import styles from './bin-dialog.module.css'

export function BinnedRow({ code, hostUrl }: { code: BinnedCode; hostUrl: string }) {
  const restore = useRestore()
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <Text size="sm" fw={600} className={styles.name}>
          {code.name}
        </Text>
        <Text size="xs" c="dimmed" className={styles.name}>
          {hostOf(linkOf(hostUrl, pathOf(code)))}
        </Text>
        <Text size="xs" c="dimmed">
          Deleted {formatDay(code.deletedAt)}, kept until {formatDay(code.purgedAt)}
        </Text>
      </div>
      <Button
        variant="default"
        size="sm"
        leftSection={<ArchiveRestore size={16} aria-hidden />}
        aria-label={`Restore ${code.name}`}
        loading={restore.isPending}
        onClick={() => restore.mutate(code.id)}
      >
        Restore
      </Button>
    </li>
  )
}
