import { Button, Stack, Text, Title } from '@mantine/core'
import { CardPage, usePageTitle } from '../ui/page/page.tsx'
import styles from './not-found-page.module.css'

export function NotFoundPage() {
  usePageTitle('404 Page Not Found')
  return (
    <CardPage>
      <Stack gap="sm" align="flex-start">
        <Mosaic />
        <Title>404 Page Not Found</Title>
        <Text c="dimmed">Did you forget to add the page to the router?</Text>
        <Button component="a" href="/" mt="xs">
          Go to the home page
        </Button>
      </Stack>
    </CardPage>
  )
}

/** 404 in tiles; one of them has come off and lies below. */
const TILES = [
  '#..#..###..#..#',
  '#..#.#...#.#..#',
  '####.#...#.####',
  '...#.#...#....#',
  '...#..###......',
  '...........o...',
]
const PITCH = 10
const TILE = 8

function Mosaic() {
  const width = (TILES[0]?.length ?? 0) * PITCH
  const tiles = TILES.flatMap((row, y) => [...row].map((kind, x) => ({ kind, x, y })))
  return (
    <svg
      className={styles.mosaic}
      viewBox={`0 0 ${width} ${TILES.length * PITCH}`}
      width={2 * width}
      aria-hidden="true"
    >
      {tiles
        .filter(({ kind }) => kind !== '.')
        .map(({ kind, x, y }) => (
          <rect
            key={`${x} ${y}`}
            data-loose={kind === 'o' || undefined}
            x={x * PITCH + 1}
            y={y * PITCH + 1}
            width={TILE}
            height={TILE}
            rx={1.5}
          />
        ))}
    </svg>
  )
}
