/** Whether something could not be kept since the page was opened, for the page to say so. */
export const storeTrouble = $state({ seen: false });
