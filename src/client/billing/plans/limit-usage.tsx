import { Group, Progress, Text } from '@mantine/core'
import type { Subscription } from '#contract/billing.ts'
import type { Tier } from '#contract/plans.ts'
import styles from '../billing-note.module.css'
import { limitText, needsWarning, usagePercent } from './usage.ts'

type Props = { subscription: Subscription; tier: Tier }

/** How much of the plan's limit is used; near it, bar and note warn in one colour. */
export function LimitUsage({ subscription, tier }: Props) {
  const { qrCodeCount, qrCodeLimit } = subscription
  const percent = usagePercent(subscription)
  const warns = needsWarning({ ...subscription, tier })
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">QR codes</Text>
        <Text size="sm" fw={600}>
          {qrCodeCount} / {limitText(qrCodeLimit)}
        </Text>
      </Group>
      {percent !== null && (
        <Progress
          value={percent}
          color={warns ? 'var(--doubtful)' : undefined}
          aria-label="QR codes used"
        />
      )}
      {warns && (
        <div className={styles.note} role="note">
          ⚠️ You're approaching your QR code limit. Consider upgrading for more codes.
        </div>
      )}
    </>
  )
}
