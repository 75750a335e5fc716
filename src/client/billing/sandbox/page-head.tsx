import { Anchor, Title } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { usePageTitle } from '../../ui/page.tsx'
import styles from './page-head.module.css'

type Props = { title: string; backTo: string; back: string }

/** The way back, and what this page is for. */
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
