import { Text } from '@mantine/core'
import styles from './no-scans.module.css'

/** A made-up month that slowly picks up: tiles for each of thirty days. */
const SKETCH = [
  ...[1, 2, 1, 1, 3, 2, 1, 2, 2, 1],
  ...[3, 4, 2, 2, 3, 3, 5, 4, 2, 3],
  ...[4, 4, 5, 3, 3, 5, 6, 5, 4, 6],
]
const HIGHEST = Math.max(...SKETCH)

/** A tile of 4 and a gap of 1. */
const PITCH = 5
const tiles = SKETCH.flatMap((height, day) =>
  Array.from(
    { length: height },
    (_, above) => `M${day * PITCH} ${(HIGHEST - 1 - above) * PITCH}h4v4h-4z`,
  ),
).join('')

/** Stands in for the chart: shows what it will look like and says that it is empty. */
export function NoScans() {
  return (
    <div className={styles.place}>
      <Text c="dimmed">No scan data available yet</Text>
      <svg
        className={styles.sketch}
        viewBox={`0 0 ${SKETCH.length * PITCH - 1} ${HIGHEST * PITCH - 1}`}
        // On a phone its tiles are as large, and only the last days are in sight.
        preserveAspectRatio="xMaxYMax slice"
        aria-hidden="true"
      >
        <path d={tiles} />
      </svg>
    </div>
  )
}
