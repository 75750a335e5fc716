import { ActionIcon, Button, Title } from '@mantine/core'
import { Keyboard, Tag, Trash2 } from 'lucide-react'
import type { Ref } from 'react'
import { Tooltip } from '../../ui/tooltip.tsx'
import styles from './code-list.module.css'

type Props = {
  titleRef: Ref<HTMLHeadingElement>
  onBin: () => void
  onTags: () => void
  onShortcuts: () => void
}

/** The list's title takes the focus when the element that had it has left the page. */
export function ListHeader({ titleRef, onBin, onTags, onShortcuts }: Props) {
  return (
    <div className={styles.header}>
      <Title order={2} size="h4" id="your-codes" ref={titleRef} tabIndex={-1}>
        Your QR Codes
      </Title>
      <Tooltip label="Keyboard shortcuts">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          className={styles.shortcuts}
          aria-label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          onClick={onShortcuts}
        >
          <Keyboard size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Button
        variant="subtle"
        color="gray"
        size="sm"
        px="xs"
        leftSection={<Tag size={16} aria-hidden />}
        onClick={onTags}
      >
        Tags
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="sm"
        px="xs"
        leftSection={<Trash2 size={16} aria-hidden />}
        onClick={onBin}
      >
        Bin
      </Button>
    </div>
  )
}
