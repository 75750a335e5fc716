import { Anchor, Title } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import styles from '../../ui/page/page.module.css'
import { usePageTitle } from '../../ui/page/page.tsx'

type Props = { title: string; backTo: string; back: string }

/** The way back, which leaves this page for the app, and the title. */
export function PageHead({ title, backTo, back }: Props) {
  usePageTitle(title)
  return (
    <div>
      <Anchor href={backTo} size="sm" className={styles.back}>
        <ArrowLeft size={16} aria-hidden />
        {back}
      </Anchor>
      <Title order={1} size="h2" mt="lg">
        {title}
      </Title>
    </div>
  )
}
