import { Box, Text } from '@mantine/core'
import { Hourglass } from 'lucide-react'
import { useFiguresUntil } from '../figures-until.ts'
import { dayIn, formatMoment, formatTime } from '../formats.ts'
import note from '../ui/note.module.css'

/** Says up to when the figures have all scans, if some wait to be counted. */
export function LateFigures() {
  const until = useFiguresUntil()
  if (!until) return null
  const isToday = dayIn(undefined, until) === dayIn(undefined, Date.now())
  return (
    <Box className={note.note} role="status">
      <Hourglass size={16} aria-hidden />
      <Text size="sm">
        <b>Figures are late.</b> They show scans up to{' '}
        {isToday ? formatTime(until) : formatMoment(until)}.
      </Text>
    </Box>
  )
}
