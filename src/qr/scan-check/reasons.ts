/** Why a verdict is what it is and what to do: a sentence each, for somebody who prints menus. */
export const reasons = {
  sameBrightness:
    'The two colours are equally bright, so there is nothing to scan: choose a dark foreground on a light background.',
  tooAlike:
    'The two colours are too alike in brightness for scanners to see the code: choose a darker foreground or a lighter background.',
  unreadable:
    'Scanners cannot read this code: choose black on white, the classic style and a shorter link.',
  invertedAndAlike:
    'The code is lighter than its background and hardly stands out from it, so few scanner apps read it: choose a dark foreground on a light background.',
  inverted:
    'The code is lighter than its background, which some scanner apps cannot read: swap the two colours to be safe.',
  alike:
    'The two colours are so alike in brightness that many scanners miss the code: choose a darker foreground or a lighter background.',
  lostWhenSmall: 'Scanners lose this code when it is small or far away: print it larger.',
  lostWhenBlurred:
    'Scanners lose this code as soon as it is a little out of focus: print it larger.',
  lostInLowLight:
    'Scanners lose this code in poor light: choose a darker foreground or a lighter background.',
  fairContrast:
    'This code scans well, and a darker foreground or a lighter background would help it in poor light.',
  oneScanner:
    'This code scans well, but one of our two test scanners did not read it every time: print it larger to be safe.',
  littleDamage:
    'This code scans well, but little of it may get dirty or covered: choose a higher error correction if it has to last.',
  excellent:
    'Both of our test scanners read this code, even small, out of focus and in poor light.',
} as const
