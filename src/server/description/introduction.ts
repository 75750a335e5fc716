export const introduction = (publicUrl: string) => `The API of ${publicUrl}.`
