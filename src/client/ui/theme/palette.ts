import type { MantineColorsTuple } from '@mantine/core'

/** The accent: the green that copper takes on with the years. White text on 7 has 5:1, on 8 it has 7:1. */
export const verdigris: MantineColorsTuple = [
  '#eefaf6',
  '#d9f2ea',
  '#b0e4d4',
  '#83d4bc',
  '#5ac3a6',
  '#3bb094',
  '#239a7f',
  '#127e68',
  '#0b6655',
  '#085345',
]

/** Limestone: what the kit calls gray, from paper to ink. */
export const stone: MantineColorsTuple = [
  '#faf8f5',
  '#f4f1ec',
  '#e9e4dc',
  '#dbd4c9',
  '#c4bbad',
  '#a59b8c',
  '#857b6d',
  '#665d51',
  '#474038',
  '#2a2520',
]

/** The same stone at night, from text to what lies deepest. */
export const night: MantineColorsTuple = [
  '#ece8e1',
  '#c9c3ba',
  '#a49d93',
  '#7d766c',
  '#4a453e',
  '#3a3630',
  '#2c2925',
  '#211f1b',
  '#191714',
  '#100f0d',
]

/** Ten tesserae for the series of a chart, told apart in light and dark and by most colour-blind eyes. */
export const mosaic = [
  '#12836c',
  '#d9662b',
  '#3f6fb5',
  '#e0a526',
  '#9b4a7c',
  '#6f9a3c',
  '#c2413a',
  '#4fa9b8',
  '#8a6b4a',
  '#7a78c8',
] as const
