/**
 * Header of an answer with figures, if scans wait to be counted for over a minute: the instant up to which all are
 * in the figures, in ISO 8601.
 */
export const FIGURES_UNTIL = 'tessera-figures-until'
