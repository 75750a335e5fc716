import { Button, Progress, Radio, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useFocusTrap } from '@mantine/hooks'
import { FolderDown, Printer } from 'lucide-react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import {
  grids,
  layOutSheet,
  type PaperName,
  paperNames,
  papers,
  perPage,
  type Sheet,
} from '#contract/label-sheets.ts'
import { FREE_EXPIRY_DAYS } from '#contract/plans.ts'
import type { Arrived } from '../../arriving-file.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { counted } from '../../ui/formats.ts'
import { ChoiceCard } from '../editor/choice-card.tsx'
import { useSeriesFiles } from './queries.ts'
import styles from './series.module.css'

type Props = { codes: QrCode[]; onClose: () => void }

/** Their readers print on Letter. */
const ON_LETTER = /^(en-(US|CA)|es-(MX|US)|fr-CA|en)$/

const usualPaper = (): PaperName => (ON_LETTER.test(navigator.language) ? 'letter' : 'a4')

/** What to do with codes that are there: print labels, or take all pictures. */
export function SeriesResult({ codes, onClose }: Props) {
  const { busy, labels, pictures } = useSeriesFiles(codes)
  const [paper, setPaper] = useState(usualPaper)
  const [size, setSize] = useState<string>('Small')
  const trap = useFocusTrap(true)
  const { columns, rows } = grids.find(({ name }) => name === size) ?? grids[0]
  const sheet: Sheet = { paper, columns, rows }
  const pages = Math.ceil(codes.length / perPage(sheet))
  const end = codes[0]?.expiresAt
  return (
    <div ref={trap}>
      <Stack gap="md" pt="md">
        <Text>
          They are in your list, and each one can be changed on its own.
          {end && ` On the Free plan they stop working after ${FREE_EXPIRY_DAYS} days.`}
        </Text>
        <SegmentedControl
          aria-label="Paper"
          value={paper}
          onChange={(value) => setPaper(value as PaperName)}
          data={paperNames.map((name) => ({ value: name, label: papers[name].name }))}
        />
        <Radio.Group label="Labels" value={size} onChange={setSize}>
          <SimpleGrid cols={3} spacing="xs" mt={4}>
            {grids.map((grid, index) => (
              <ChoiceCard
                key={grid.name}
                value={grid.name}
                chosen={size}
                isFirst={index === 0}
                p="sm"
              >
                <span>
                  <Text component="span" display="block" size="sm" fw={600}>
                    {grid.name}
                  </Text>
                  <Text component="span" display="block" size="xs" c="dimmed">
                    {perPage(grid)} a page, code {millimetres(layOutSheet({ paper, ...grid }).code)}
                  </Text>
                </span>
              </ChoiceCard>
            ))}
          </SimpleGrid>
        </Radio.Group>
        <Text size="sm" c="dimmed">
          {counted(pages, 'page')}, with each name and short link below its code and thin lines to
          cut along. Print at 100 %.
        </Text>
        <div className={styles.files}>
          <BusyButton
            data-autofocus
            leftSection={<Printer size={18} aria-hidden />}
            busy={busy !== null}
            busyText={busy?.file === 'labels' ? 'Making labels...' : 'Labels (PDF)'}
            onClick={() => void labels(sheet)}
          >
            Labels (PDF)
          </BusyButton>
          <BusyButton
            variant="default"
            leftSection={<FolderDown size={18} aria-hidden />}
            busy={busy !== null}
            busyText={busy?.file === 'pictures' ? 'Making the ZIP...' : 'All pictures (ZIP)'}
            onClick={() => void pictures()}
          >
            All pictures (ZIP)
          </BusyButton>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Done
          </Button>
        </div>
        {busy && <Arriving arrived={busy.arrived} />}
      </Stack>
    </div>
  )
}

/** Every code is read before the first byte is sent: until then nothing can be counted. */
function Arriving({ arrived }: { arrived: Arrived | null }) {
  const percent = arrived && arrived.total > 0 ? (100 * arrived.parts) / arrived.total : 0
  return (
    <div role="status">
      <Text size="sm" mb={4}>
        {arrived
          ? `${arrived.parts} of ${arrived.total}`
          : 'Checking that each code can be scanned'}
      </Text>
      <Progress value={arrived ? percent : 100} animated={!arrived} aria-label="Progress" />
    </div>
  )
}

const millimetres = (edge: number) => `${Math.floor(edge)}\u00a0mm`
