import styles from './logo.module.css'

/** Upper left corners of the tiles in sixteenths; the sixth, the token, is round. */
const tiles = [
  [0, 0],
  [5.6, 0],
  [11.2, 0],
  [5.6, 5.6],
  [5.6, 11.2],
] as const
const TILE = 4.8

/** The mark: six tiles that make a T, the last of them a token. Decorative; the name stands beside it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg className={styles.mark} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      {tiles.map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={TILE} height={TILE} rx={1} />
      ))}
      <circle cx={13.6} cy={13.6} r={TILE / 2} />
    </svg>
  )
}

/** The mark and the product's name. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <span className={styles.logo}>
      <Mark size={size} />
      Tessera
    </span>
  )
}
