export declare const filesIn: (folder: string, ending?: string) => string[];
export declare const textOf: (file: string) => string;
export declare function importsOf(file: string): readonly string[];
export declare function importersOf(files: readonly string[]): ReadonlyMap<string, readonly string[]>;
export declare function unusedExports(files: readonly string[]): string[];
