// The first program of an emulated laptop: loads the kernel's own drivers of batteries and chargers, shows what they tell, and
// lets the product's programs read it while the laptop is on its batteries, with a charger, and with a battery that is emptied
// and does not say how fast. Then it switches the laptop off. What is said on the console is judged by RealBatteryTests.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// Sets a switch of the firmware's (batteries.asl): a byte of the clock's memory.
static void set_switch(int number, int value) {
    ioperm(0x70, 2, 1);
    outb((unsigned char)(0x60 + number), 0x70);
    outb((unsigned char)value, 0x71);
}

static void load(const char *path, const char *parameters) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || syscall(SYS_finit_module, file, parameters, 0) != 0) printf("cannot load %s: %s\n", path, strerror(errno));
    if (file >= 0) close(file);
}

static void run(const char *title, char *const arguments[]) {
    printf("== %s\n", title);
    pid_t child = fork();
    if (child == 0) {
        execv(arguments[0], arguments);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("== exit %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status));
}

static void show(const char *path) {
    char text[4096];
    int file = open(path, O_RDONLY);
    ssize_t size = file < 0 ? -1 : read(file, text, sizeof text);
    if (size < 0) printf("%s: %s\n", path, strerror(errno));
    else printf("%s:\n", path);
    for (; size > 0; size = read(file, text, sizeof text)) printf("%.*s", (int)size, text);
    if (file >= 0) close(file);
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
    mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
    set_switch(0, 0);
    set_switch(1, 0);
    load("/ac.ko", "");
    // Asks the firmware at every read, where a second's old answers are the kernel's default.
    load("/battery.ko", "cache_time=1");
    // The drivers find their devices on a thread of their own.
    for (int turn = 0; turn < 3000 && access("/sys/class/power_supply/BAT2/uevent", R_OK) != 0; turn++) usleep(10000);
    printf("\n== supplies\n");
    static const char *const files[] = {"BAT0/uevent", "BAT1/uevent", "BAT2/uevent", "BAT2/power_now", "ADP0/uevent"};
    for (unsigned index = 0; index < sizeof files / sizeof *files; index++) {
        char path[128];
        snprintf(path, sizeof path, "/sys/class/power_supply/%s", files[index]);
        show(path);
    }
    run("on batteries", (char *[]){"/bin/Helper", "energy-windows", "/", "15", "2", NULL});
    run("doctor", (char *[]){"/bin/taskmeter", "doctor", NULL});
    // Four seconds: 10 s of sleep on a queue that starts with a thread for each processor and gains one a second.
    run("whole run", (char *[]){"/bin/taskmeter", "run", "--suite", "/bin/Laboratory", "--filter", "exhaustion.*blocked=1000]",
                                "--full", "--axis", "strategy=global-queue", "--trials", "1", "--idle", "0", "--battery", "500", "--no-report",
                                "--quiet", "--output", "/tmp/runs", NULL});
    show("/tmp/runs/latest/samples.csv");
    printf("== trials\n");
    show("/tmp/runs/latest/trials.csv");
    set_switch(0, 1);
    run("with a charger", (char *[]){"/bin/Helper", "energy-windows", "/", "1", "1", NULL});
    set_switch(0, 0);
    set_switch(1, 1);
    run("one of unknown rate", (char *[]){"/bin/Helper", "energy-windows", "/", "1", "1", NULL});
    printf("== end\n");
    sync();
    reboot(RB_POWER_OFF);
}
