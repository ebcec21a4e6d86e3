/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp info of the motors and thrusters of a mechanism, and of how their controls act. */
#include <math.h>
#include <stdio.h>

#include "cli/info.h"
#include "cli/lib/json.h"
#include "cli/lib/print.h"

void cli_info_member(const char *key, const char *text)
{
    cli_print(stdout, ", \"%s\": ", key);
    cli_json_string(stdout, text);
}

void cli_info_number(const char *key, double value)
{
    cli_print(stdout, ", \"%s\": ", key);
    cli_json_number(stdout, value);
}

static lg_motor motor_at(const lg_mechanism *m, int i)
{
    lg_motor d = lg_motor_default(NULL, NULL);
    lg_status_ignore(lg_mechanism_read_motor(m, &d, i));
    return d;
}

static lg_thruster thruster_at(const lg_mechanism *m, int i)
{
    lg_thruster t = lg_thruster_default(NULL, NULL);
    lg_status_ignore(lg_mechanism_read_thruster(m, &t, i));
    return t;
}

/* Text ------------------------------------------------------------------------------------------------------------ */

static void print_limits(const char *of, double lower, double upper)
{
    if (lower > -INFINITY || upper < INFINITY) cli_print(stdout, ", %sfrom %g to %g", of, lower, upper);
}

/* How a control acts. */
static void print_activation(lg_activation activation, double time, double lower, double upper)
{
    if (activation == LG_ACTIVATION_FILTER) cli_print(stdout, ", filtered in %g s", time);
    if (activation == LG_ACTIVATION_INTEGRATOR) cli_print(stdout, ", integrates its control");
    print_limits("activation ", lower, upper);
}

void cli_info_motors(const lg_mechanism *m)
{
    if (lg_mechanism_motor_count(m) > 0) puts("\nmotors");
    for (int i = 0; i < lg_mechanism_motor_count(m); i++) {
        const lg_motor motor = motor_at(m, i);
        cli_print(stdout, "  %-16s on %s", motor.name, motor.joint);
        if (motor.position_gain > 0) cli_print(stdout, ", follows a position, gain %g", motor.position_gain);
        if (motor.velocity_gain > 0)
            cli_print(stdout, motor.position_gain > 0 ? ", damping %g" : ", follows a velocity, gain %g",
                      motor.velocity_gain);
        if (motor.damping_gain > 0) cli_print(stdout, ", brakes, damping %g for a control of 1", motor.damping_gain);
        print_limits("", motor.lower, motor.upper);
        print_limits("control ", motor.control_lower, motor.control_upper);
        print_activation(motor.activation, motor.time_constant, motor.activation_lower, motor.activation_upper);
        puts("");
    }
}

void cli_info_thrusters(const lg_mechanism *m)
{
    if (lg_mechanism_thruster_count(m) > 0) puts("\nthrusters");
    for (int i = 0; i < lg_mechanism_thruster_count(m); i++) {
        const lg_thruster t = thruster_at(m, i);
        cli_print(stdout, "  %-16s on %s, %g N and %g N m for a control of 1", t.name, t.body, t.force, t.torque);
        print_activation(t.activation, t.time_constant, t.activation_lower, t.activation_upper);
        puts("");
    }
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

static void json_limits(const char *lower_name, double lower, const char *upper_name, double upper)
{
    if (lower > -INFINITY) cli_info_number(lower_name, lower);
    if (upper < INFINITY) cli_info_number(upper_name, upper);
}

static void json_activation(lg_activation activation, double time, double lower, double upper)
{
    if (activation != LG_ACTIVATION_NONE) cli_info_member("activation", lg_activation_name(activation));
    if (time > 0) cli_info_number("time_constant", time);
    json_limits("activation_lower", lower, "activation_upper", upper);
}

void cli_info_json_motor(const lg_mechanism *m, int i)
{
    const lg_motor motor = motor_at(m, i);
    cli_json_string(stdout, motor.name);
    cli_info_member("joint", motor.joint);
    cli_info_number("ratio", motor.ratio);
    cli_info_number("control_gain", motor.control_gain);
    cli_info_number("position_gain", motor.position_gain);
    cli_info_number("velocity_gain", motor.velocity_gain);
    if (motor.damping_gain > 0) cli_info_number("damping_gain", motor.damping_gain);
    json_limits("lower", motor.lower, "upper", motor.upper);
    json_limits("control_lower", motor.control_lower, "control_upper", motor.control_upper);
    json_activation(motor.activation, motor.time_constant, motor.activation_lower, motor.activation_upper);
}

void cli_info_json_thruster(const lg_mechanism *m, int i)
{
    const lg_thruster t = thruster_at(m, i);
    cli_json_string(stdout, t.name);
    cli_info_member("body", t.body);
    cli_info_number("force", t.force);
    cli_info_number("torque", t.torque);
    json_limits("lower", t.lower, "upper", t.upper);
    json_activation(t.activation, t.time_constant, t.activation_lower, t.activation_upper);
}
